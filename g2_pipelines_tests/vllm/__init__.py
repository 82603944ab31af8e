"""Both lines' calls through the real vLLM on CPU; ``make test-vllm`` runs these tests.

The models are tiny and their weights random: answers are valid by their schema and say
nothing, so that only form, order, failures and counters are asserted.
"""
