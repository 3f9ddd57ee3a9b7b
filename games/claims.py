"""Claims: a job that one process has taken on, so that the same process on other machines leaves it alone.

A claim ends by itself, so nothing stands still for long when its holder dies. It saves work and is no lock: a job must
be safe if two processes do it after all (a claim may run out while its holder is busy). Machines compare their clocks
here, so they should agree to a second, as they do with NTP.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.utils import timezone

from .models import Claim

HOLDER = secrets.token_hex(8)  # this process
KEPT_DAYS = 1


def take(job: str, seconds: float) -> bool:
    """Take on a job for so many seconds, unless another claim on it is still running; whether it is ours now."""
    if _swap(job, seconds):
        return True
    if Claim.objects.filter(job=job).exists():
        return False
    # The row is made free, and who has the job is then decided by the same update as ever.
    Claim.objects.bulk_create([Claim(job=job, holder="", until=timezone.now())], ignore_conflicts=True)
    return _swap(job, seconds)


def _swap(job: str, seconds: float) -> bool:
    now = timezone.now()
    free = Claim.objects.filter(job=job, until__lte=now)
    return bool(free.update(holder=HOLDER, until=now + timedelta(seconds=seconds)))


def running(jobs: str) -> set[str]:
    """The jobs whose names begin so and on which somebody has a claim now."""
    now = Claim.objects.filter(job__startswith=jobs, until__gt=timezone.now())
    return set(now.values_list("job", flat=True))


def give_back(job: str) -> None:
    """The job is done, and anybody may take the next of that name. A claim that ran out may be another's by now."""
    Claim.objects.filter(job=job, holder=HOLDER).update(until=timezone.now())


def clear() -> int:
    """Delete claims nobody has wanted for a day; how many."""
    return Claim.objects.filter(until__lt=timezone.now() - timedelta(days=KEPT_DAYS)).delete()[0]
