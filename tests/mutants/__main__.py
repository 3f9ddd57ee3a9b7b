"""`python -m tests.mutants`"""

import sys

from . import main

sys.exit(main())
