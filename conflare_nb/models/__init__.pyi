# Made by tools/export.py: every public name and where it is defined.
from .llm import EndpointLLM as EndpointLLM
from .llm import LLM as LLM
from .llm import TransformersLLM as TransformersLLM
from .llm import load_llm as load_llm
