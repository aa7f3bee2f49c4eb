"""Mode shapes: their integrals, done once and without units, and closed forms of those."""
