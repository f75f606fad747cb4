"""What learners get: `make release` writes it to `dist/`, as a folder and as a zip."""
