"""Slots of a table's page by their dom id, which has hyphens and so cannot be a variable's name."""

from django import template

register = template.Library()


@register.filter
def slot(drawn: dict[str, str], name: str) -> str:
    return drawn[name]
