"""The page of Kings & Things*: one module for each part of it."""
