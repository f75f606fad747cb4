"""Steps, pages and exports for nbgrader, named in a course's configuration: what may break when nbgrader or nbconvert change."""
