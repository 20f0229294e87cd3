# Made by tools/export.py: every public name and where it is defined.
from .hybrid import Hybrid as Hybrid
from .reranked import Reranked as Reranked
from .score import Distance as Distance
from .score import Margin as Margin
from .score import Rank as Rank
from .score import Score as Score
from .score import ShareScore as ShareScore
from .score import Softmax as Softmax
from .score import check_count as check_count
from .score import check_positive as check_positive
from .score import check_weight as check_weight
from .score import minus_log_share as minus_log_share
from .score import pool_rows as pool_rows
from .stored import stored_score as stored_score
