"""The language server for piece files: `alfil lsp`, for editors that speak the protocol.

`server.py` receives every request and answers none itself. The other modules answer from a
`Document`, a text as an editor has it, and know no connection.
"""
