"""What a description amounts to: canonical automata, from trees, without dialect or spelling."""
