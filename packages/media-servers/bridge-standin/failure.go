package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/emiago/sipgo"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/psrpc"
)

// errTimedOut is what the real bridge returns for a ringing timeout, and also when the room ended while it rang.
var errTimedOut = psrpc.NewError(psrpc.Canceled, errors.New("sip request timed out"))

// failureOf turns the end of an INVITE into the error that the real bridge returns: its SIP status where there is one.
func failureOf(ctx context.Context, c *call, err error) error {
	var final *sipgo.ErrDialogResponse
	if errors.As(err, &final) {
		return &livekit.SIPStatus{Code: livekit.SIPStatusCode(final.Res.StatusCode), Status: final.Res.Reason}
	}
	if ctx.Err() != nil {
		return errTimedOut
	}
	responses := 0
	if c.hasRung() {
		responses = 1
	}
	return psrpc.NewError(psrpc.Canceled, fmt.Errorf("transaction failed to complete (%d intermediate responses)", responses))
}
