"""The assets, one module a step; each calls domain functions, stores and reports."""
