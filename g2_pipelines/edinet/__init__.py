"""EDINET: API client, listing, filing zips, text sections, facts."""
