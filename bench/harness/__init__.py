"""The parts of `bench/dedup`: each measures one thing, archives its rows and draws one table."""
