"""What the explorer shows of this lesson: `python -m authoring runs` makes it, where the model is installed."""

from attnlab import real_model
from authoring.runs import triangles

TEXT = "The dog didn't eat the bone because it was too tired."


def runs(lesson):
    """Where each head of the model looks in one sentence."""
    model, words = real_model.opened()
    maps = real_model.maps_of(model, real_model.run(words.encode(TEXT), model))
    layers, heads = maps.shape[:2]
    first = 100 * maps[..., 1:, 0].mean()
    yield {
        "name": "real model",
        "about": f"Lesson 8: SmolLM2-135M, {layers} layers of {heads} heads, reads one sentence. The maps are stored, not the model, so you "
                 f"cannot edit the tokens. Queries after the first token give it {first:.0f} % of their weight on average: "
                 "leave it out to see where else they look.",
        "sentence": [token.strip() for token in words.split(TEXT)], "query": words.split(TEXT).index(" it"),
        "layers": layers, "heads": heads, "layer": 13, "head": 8, "maps": triangles(maps),
    }
