"""From the text of a lesson to the notebooks that learners open."""
