from django.db import migrations

FIRST_RULES = "1"


def write_down_who_plays(apps, schema_editor):
    """Games of Kings & Things* begun under the first rules do not say which seats bots play; their seats do.

    The two lists are extras of their own, so that the hash chain and the history of these games still fit.
    """
    Position, Seat = apps.get_model("games", "Position"), apps.get_model("games", "Seat")
    running = Position.objects.filter(game__ruleset="kings", game__status="running")
    older = running.filter(game__actions__number=0, game__actions__rules_version=FIRST_RULES)
    for position in older.only("id", "game_id", "extras").iterator():
        seats = list(Seat.objects.filter(game_id=position.game_id).exclude(bot="").order_by("number"))
        position.extras["older_bots"] = [seat.number for seat in seats if seat.stands_in_for_id is None]
        position.extras["older_stewards"] = [seat.number for seat in seats if seat.stands_in_for_id is not None]
        position.save(update_fields=["extras"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0010_notice_tries"),
    ]

    operations = [
        migrations.RunPython(write_down_who_plays, migrations.RunPython.noop),
    ]
