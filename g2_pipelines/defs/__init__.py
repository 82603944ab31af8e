"""Dagster only: thin assets, checks, jobs, schedules, sensors, resources over the domain packages."""
