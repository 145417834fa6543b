"""The site: alfil in a browser, as a folder of static files that no server has to run.

`build.py` writes the folder, `pyodide.py` what runs Python in it. In the browser
`piece_requests.py` is what pages ask, in a worker; `game_requests.py` has the part of it that is
about games.
"""
