"""What a writer of rules works with: check a file, compare two, run examples, print a reference.

One module for each of these; ``combatkit`` on the command line offers them all.
"""
