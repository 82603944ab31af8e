"""Transcripts: readers of formats, turns and roles, question-to-question chunks."""
