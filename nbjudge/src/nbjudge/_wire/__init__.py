"""Both ends of the connection to a student kernel: how messages travel, what values are on the wire, limits and errors."""
