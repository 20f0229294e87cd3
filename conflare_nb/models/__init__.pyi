# Made by tools/export.py: every public name and where it is defined.
from .llm import LLM as LLM
from .llm import Pace as Pace
from .llm import check_request as check_request
from .llm import cut_at_stop as cut_at_stop
from .llm import pace_of as pace_of
from .llm import timed_pieces as timed_pieces
from .load import load_llm as load_llm
from .local import TransformersLLM as TransformersLLM
from .local import smollm2_dir as smollm2_dir
from .server import EndpointLLM as EndpointLLM
from .server import ServerError as ServerError
from .server import paid_replies as paid_replies
from .server import shown_address as shown_address
from .waiting import PaidWork as PaidWork
from .waiting import finish as finish
from .waiting import in_threads as in_threads
from .waiting import pieces_until as pieces_until
