"""The controls of a decision, drawn by the server: a class for each kind of offer, and what all of them share."""
