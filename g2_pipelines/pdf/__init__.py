"""PDF: parsing engines to nodes, pages and crops."""
