"""Errors of HR vendors, a branch of `autonomy.errors.VendorError`."""

from autonomy.errors import VendorError


class FreeeAPIError(VendorError):
    """freee's API or sign-in server answered with an error, or not at all (the name and arguments of the design document)."""

    def __init__(
        self,
        message: str,
        status_code: int,
        retryable: bool = False,
        *,
        outcome_unknown: bool = False,
        token_refused: bool = False,
    ) -> None:
        self.status_code = status_code
        self.outcome_unknown = outcome_unknown
        """The request may have been carried out though no answer came."""
        self.token_refused = token_refused
        """freee will not take this refresh token again."""
        super().__init__("freee", message, retryable=retryable, status=status_code or None)
