"""Django's backend for PostgreSQL, which does not wait twice for a server that is away."""
