"""The procedures of the rule book, each a frame; a file for each of its chapters."""
