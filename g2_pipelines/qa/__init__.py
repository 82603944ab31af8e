"""Questions: the planning graph, workers, checker, refinement, answer, the page."""
