"""Django's backend for SQLite, which writes no statement anew that it has written before."""
