"""What nbjudge was called until 3.0: an old `nbgrader_config.py` that imports it is told what to write now."""

raise ImportError(
    "`examiner` is called nbjudge now. Next: in nbgrader_config.py write `from nbjudge import switch_on` "
    "in place of `from examiner.nbgrader_steps.configuration import switch_on`, and type `nbjudge grade` in place of `examiner grade`"
)
