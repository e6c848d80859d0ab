"""The command line, in this process (`running.py`) and as a process of its own."""
