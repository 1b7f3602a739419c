package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// legClient speaks to the media leg: the participant in the room on one side, RTP on the other.
type legClient struct {
	url string
}

// openedLeg is a leg that has joined its room and listens for RTP.
type openedLeg struct {
	ID            string `json:"id"`
	ParticipantID string `json:"participantId"`
	RTPPort       int    `json:"rtpPort"`
}

type legRequest struct {
	Room       string            `json:"room"`
	Identity   string            `json:"identity"`
	Attributes map[string]string `json:"attributes"`
	CallID     string            `json:"callId"`
}

func (c *legClient) open(ctx context.Context, request legRequest) (openedLeg, error) {
	var leg openedLeg
	err := c.post(ctx, "/legs", request, &leg)
	return leg, err
}

// answer sends the leg the address at which the carrier expects audio.
func (c *legClient) answer(ctx context.Context, id string, remote mediaAddress) error {
	return c.post(ctx, "/legs/"+id+"/answer", remote, nil)
}

// close makes the leg leave its room. A leg that has already left is ignored.
func (c *legClient) close(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = c.post(ctx, "/legs/"+id+"/close", struct{}{}, nil)
}

func (c *legClient) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("media leg: %s", response.Status)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(out)
}
