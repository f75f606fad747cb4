"""What comes from learning platforms and what goes back to them: hand-ins as Moodle, Canvas and the exchange give them, and feedback."""
