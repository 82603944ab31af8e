"""The node index in LanceDB: rows, search."""
