"""An interestingness test that asks elsewhere: `ask.py SOCKET FILE` sends the file, and ends with 0 if it gets a 1."""

import socket
import sys

with socket.socket(socket.AF_UNIX) as there, open(sys.argv[2], "rb") as file:
    there.connect(sys.argv[1])
    there.sendall(file.read())
    there.shutdown(socket.SHUT_WR)
    sys.exit(0 if there.recv(1) == b"1" else 1)
