"""From a View to markup. Nothing here knows a State, a row or a request."""
