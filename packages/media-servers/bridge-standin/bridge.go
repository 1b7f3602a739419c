package main

import (
	"context"
	"log"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
	"github.com/livekit/protocol/rpc"
	"github.com/livekit/psrpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// defaultRinging is the real bridge's limit where a request has none.
const defaultRinging = 30 * time.Second

// bridge implements the internal SIP service of LiveKit.
type bridge struct {
	ua   *sipgo.DialogUA
	legs *legClient
	port int

	mu    sync.Mutex
	calls map[string]*call
}

func newBridge(ua *sipgo.DialogUA, legs *legClient, port int) *bridge {
	return &bridge{ua: ua, legs: legs, port: port, calls: map[string]*call{}}
}

// CreateSIPParticipant joins the room, dials, and returns when the call is answered.
func (b *bridge) CreateSIPParticipant(ctx context.Context, request *rpc.InternalCreateSIPParticipantRequest) (*rpc.InternalCreateSIPParticipantResponse, error) {
	request.Upgrade()
	target, err := carrierURI(request.CallTo, request.Address)
	if err != nil {
		return nil, psrpc.NewErrorf(psrpc.InvalidArgument, "invalid address: %v", err)
	}
	// The participant is in the room before the INVITE is sent, as with the real bridge.
	leg, err := b.legs.open(ctx, legRequest{
		Room: request.RoomName, Identity: request.ParticipantIdentity, Attributes: request.ParticipantAttributes, CallID: request.SipCallId,
	})
	if err != nil {
		return nil, psrpc.NewError(psrpc.Internal, err)
	}
	// The request's own context ends with the request; a call outlives it.
	callContext, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	c := &call{id: request.SipCallId, legID: leg.ID, cancel: cancel}
	b.add(c)
	if err := b.place(callContext, c, target, leg.RTPPort, request); err != nil {
		if c.end() != ended {
			b.remove(c)
			b.legs.close(c.legID)
		}
		cancel(nil)
		log.Printf("%s failed: %v", c.id, err)
		return nil, err
	}
	log.Printf("%s answered", c.id)
	return &rpc.InternalCreateSIPParticipantResponse{
		ParticipantId: leg.ParticipantID, ParticipantIdentity: request.ParticipantIdentity, SipCallId: request.SipCallId,
	}, nil
}

// place sends the INVITE and connects the media when it is answered.
func (b *bridge) place(ctx context.Context, c *call, target sip.Uri, rtpPort int, request *rpc.InternalCreateSIPParticipantRequest) error {
	limit := defaultRinging
	if request.RingingTimeout != nil && request.RingingTimeout.AsDuration() > 0 {
		limit = request.RingingTimeout.AsDuration()
	}
	timer := time.AfterFunc(limit, c.stopRinging)
	defer timer.Stop()
	dialog, err := b.ua.Invite(ctx, target, offer(time.Now().Unix(), rtpPort), b.headers(request)...)
	if err != nil {
		return psrpc.NewError(psrpc.Unavailable, err)
	}
	c.setDialog(dialog)
	err = dialog.WaitAnswer(ctx, sipgo.AnswerOptions{
		Username: request.Username, Password: request.Password,
		OnResponse: func(response *sip.Response) error {
			log.Printf("%s SIP %d %s", c.id, response.StatusCode, response.Reason)
			if response.StatusCode < 200 {
				c.onProvisional()
			}
			return nil
		},
	})
	if err != nil {
		// A 200 that crosses the CANCEL ends the wait too, and its callee hears nothing until it is hung up on.
		if late := dialog.InviteResponse; late != nil && late.IsSuccess() {
			hangUp(dialog)
		}
		return failureOf(ctx, c, err)
	}
	return b.connect(c, dialog)
}

// hangUp acknowledges an answer that is no longer wanted, and ends it.
func hangUp(dialog *sipgo.DialogClientSession) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if dialog.Ack(ctx) == nil {
		_ = dialog.Bye(ctx)
	}
}

// connect acknowledges the answer and lets audio flow. If the call has ended in the meantime, it is hung up
// immediately.
func (b *bridge) connect(c *call, dialog *sipgo.DialogClientSession) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := dialog.Ack(ctx); err != nil {
		return psrpc.NewError(psrpc.Internal, err)
	}
	remote, err := parseAnswer(dialog.InviteResponse.Body())
	if err == nil {
		err = b.legs.answer(ctx, c.legID, remote)
	}
	if err != nil || !c.begin() {
		_ = dialog.Bye(ctx)
		if err != nil {
			return psrpc.NewError(psrpc.FailedPrecondition, err)
		}
		return errTimedOut
	}
	return nil
}

// headers are those of the request plus From, which carries the caller's number.
func (b *bridge) headers(request *rpc.InternalCreateSIPParticipantRequest) []sip.Header {
	tag := sip.NewParams()
	tag.Add("tag", sip.GenerateTagN(16))
	from := sip.FromHeader{Address: sip.Uri{User: request.Number, Host: "127.0.0.1", Port: b.port}, Params: tag}
	headers := []sip.Header{sip.NewHeader("Content-Type", "application/sdp"), &from}
	for name, value := range request.Headers {
		headers = append(headers, sip.NewHeader(name, value))
	}
	return headers
}

// onBye ends the call that the carrier hung up.
func (b *bridge) onBye(request *sip.Request, transaction sip.ServerTransaction) {
	c := b.find(func(c *call) bool { return c.isDialogOf(request) })
	if c == nil {
		_ = transaction.Respond(sip.NewResponseFromRequest(request, 481, "Call/Transaction Does Not Exist", nil))
		return
	}
	_ = c.dialog.ReadBye(request, transaction)
	log.Printf("%s hung up by the carrier", c.id)
	c.end()
	b.remove(c)
	b.legs.close(c.legID)
}

// onRoomGone is the media leg's report that its room ended or that it was removed from it: CANCEL or BYE.
func (b *bridge) onRoomGone(id string) {
	c := b.find(func(c *call) bool { return c.id == id })
	if c == nil {
		return
	}
	log.Printf("%s its room is gone", c.id)
	c.stopRinging()
	if c.end() == answered {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = c.dialog.Bye(ctx)
	}
	b.remove(c)
}

func (b *bridge) add(c *call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls[c.id] = c
}

func (b *bridge) remove(c *call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.calls, c.id)
}

func (b *bridge) find(isIt func(*call) bool) *call {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.calls {
		if isIt(c) {
			return c
		}
	}
	return nil
}

// CreateSIPParticipantAffinity claims every call: there is one bridge.
func (b *bridge) CreateSIPParticipantAffinity(context.Context, *rpc.InternalCreateSIPParticipantRequest) float32 {
	return 1
}

// TransferSIPParticipant is outside the scope of the stand-in.
func (b *bridge) TransferSIPParticipant(context.Context, *rpc.InternalTransferSIPParticipantRequest) (*emptypb.Empty, error) {
	return nil, psrpc.NewErrorf(psrpc.Unimplemented, "the stand-in transfers no calls")
}

// carrierURI is the number at the trunk's address, `host[:port]`.
func carrierURI(number, address string) (sip.Uri, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return sip.Uri{User: number, Host: address, Port: 5060}, nil
	}
	port, err := strconv.Atoi(portText)
	return sip.Uri{User: number, Host: host, Port: port}, err
}
