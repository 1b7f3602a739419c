package main

import (
	"context"
	"sync"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

type callState int

const (
	ringing callState = iota
	answered
	ended
)

// call is one outgoing call. Its state decides the races between an answer, a hang-up and the end of the room: each
// end is carried out by whoever moved the state.
type call struct {
	id    string
	legID string

	mu     sync.Mutex
	state  callState
	dialog *sipgo.DialogClientSession
	// rang reports whether a provisional response arrived. Before one, no CANCEL may be sent and the INVITE is given
	// up.
	rang   bool
	cancel context.CancelCauseFunc
}

// onProvisional notes that the carrier has seen the INVITE.
func (c *call) onProvisional() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rang = true
}

func (c *call) hasRung() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rang
}

// stopRinging ends the INVITE: with a CANCEL where one is allowed.
func (c *call) stopRinging() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != ringing {
		return
	}
	if c.rang {
		c.cancel(context.Canceled)
	} else {
		c.cancel(sipgo.WaitAnswerForceCancelErr)
	}
}

// begin moves the call to answered; false when it has ended before.
func (c *call) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != ringing {
		return false
	}
	c.state = answered
	return true
}

// end moves the call to its end and returns the former state, so that exactly one caller tears the call down.
func (c *call) end() callState {
	c.mu.Lock()
	defer c.mu.Unlock()
	former := c.state
	c.state = ended
	return former
}

func (c *call) setDialog(dialog *sipgo.DialogClientSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialog = dialog
}

// isDialogOf reports whether a request of the carrier belongs to this call.
func (c *call) isDialogOf(request *sip.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialog != nil && c.dialog.InviteRequest.CallID().Value() == request.CallID().Value()
}
