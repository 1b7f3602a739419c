"""Typed client of the Troupe API: `Troupe` and `AsyncTroupe`."""

from . import models
from .errors import TroupeError
from .operations import AsyncTroupe, Troupe
from .streams import AsyncRunStream, RunStream

__all__ = ["AsyncRunStream", "AsyncTroupe", "RunStream", "Troupe", "TroupeError", "models"]
