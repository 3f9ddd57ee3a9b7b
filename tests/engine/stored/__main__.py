"""Put what the code stores today on the list."""

from tests.engine.stored import write

write()
