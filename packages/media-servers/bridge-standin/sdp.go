package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mediaAddress is the address at which one side receives RTP.
type mediaAddress struct {
	IP   string `json:"ip"`
	Port int    `json:"port"`
	// EventType is the payload type of RFC 2833 events, such as DTMF; 0: the carrier takes none.
	EventType int `json:"eventType"`
}

// offer is PCMU with RFC 2833 events, in packets of 20 ms.
func offer(sessionID int64, rtpPort int) []byte {
	lines := []string{
		"v=0",
		fmt.Sprintf("o=- %d 1 IN IP4 127.0.0.1", sessionID),
		"s=-",
		"c=IN IP4 127.0.0.1",
		"t=0 0",
		fmt.Sprintf("m=audio %d RTP/AVP 0 101", rtpPort),
		"a=rtpmap:0 PCMU/8000",
		"a=rtpmap:101 telephone-event/8000",
		"a=fmtp:101 0-15",
		"a=ptime:20",
		"a=sendrecv",
		"",
	}
	return []byte(strings.Join(lines, "\r\n"))
}

var errNoMedia = errors.New("the SDP answer names no PCMU audio")

// parseAnswer reads the address, the port and the event type of an SDP answer.
func parseAnswer(body []byte) (mediaAddress, error) {
	var found mediaAddress
	hasPCMU := false
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "c=IN IP4 "):
			found.IP = strings.TrimPrefix(line, "c=IN IP4 ")
		case strings.HasPrefix(line, "m=audio "):
			fields := strings.Fields(line)
			if len(fields) < 4 {
				return found, errNoMedia
			}
			found.Port, _ = strconv.Atoi(fields[1])
			for _, payload := range fields[3:] {
				hasPCMU = hasPCMU || payload == "0"
			}
		case strings.HasPrefix(line, "a=rtpmap:") && strings.Contains(line, "telephone-event/8000"):
			number, _, _ := strings.Cut(strings.TrimPrefix(line, "a=rtpmap:"), " ")
			found.EventType, _ = strconv.Atoi(number)
		}
	}
	if !hasPCMU || found.Port == 0 || found.IP == "" {
		return found, errNoMedia
	}
	return found, nil
}
