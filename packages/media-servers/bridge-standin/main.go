// Package main stands in for the LiveKit SIP bridge in development and tests. It receives CreateSIPParticipant from an
// unmodified livekit-server over Redis, places a real SIP call over UDP, and answers in the wire form of the real
// bridge. The audio is moved by a media leg, a separate process that is controlled over HTTP.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
	"github.com/livekit/protocol/rpc"
	"github.com/livekit/psrpc"
	"github.com/redis/go-redis/v9"
)

func main() {
	sipPort := flag.Int("sip-port", 5080, "UDP port of the SIP side, on 127.0.0.1")
	healthPort := flag.Int("health-port", 8090, "HTTP port of the health page and of the media leg's reports")
	redisAddress := flag.String("redis", "127.0.0.1:6379", "address of LiveKit's Redis")
	legURL := flag.String("leg", "", "URL of the media leg")
	flag.Parse()
	log.SetFlags(log.Lmicroseconds)
	// The process that started the bridge holds the other end of its input: it must not outlive that process.
	go func() {
		buffer := make([]byte, 1)
		_, _ = os.Stdin.Read(buffer)
		os.Exit(0)
	}()
	if err := run(*sipPort, *healthPort, *redisAddress, *legURL); err != nil {
		log.Fatal(err)
	}
}

func run(sipPort, healthPort int, redisAddress, legURL string) error {
	// Keys of media encryption are not used: the leg sends plain RTP.
	agent, err := sipgo.NewUA(sipgo.WithUserAgent("troupe-bridge-standin"))
	if err != nil {
		return err
	}
	client, err := sipgo.NewClient(agent, sipgo.WithClientHostname("127.0.0.1"), sipgo.WithClientPort(sipPort))
	if err != nil {
		return err
	}
	server, err := sipgo.NewServer(agent)
	if err != nil {
		return err
	}
	contact := sip.ContactHeader{Address: sip.Uri{User: "bridge", Host: "127.0.0.1", Port: sipPort}}
	b := newBridge(&sipgo.DialogUA{Client: client, ContactHDR: contact}, &legClient{url: legURL}, sipPort)
	server.OnBye(b.onBye)

	failed := make(chan error, 2)
	go func() {
		failed <- server.ListenAndServe(context.Background(), "udp", fmt.Sprintf("127.0.0.1:%d", sipPort))
	}()
	bus := psrpc.NewRedisMessageBus(redis.NewClient(&redis.Options{Addr: redisAddress}))
	service, err := rpc.NewSIPInternalServer(b, bus)
	if err != nil {
		return err
	}
	if err := service.RegisterCreateSIPParticipantTopic(""); err != nil {
		return err
	}
	// The health page is served last, because clients dial once it responds.
	go func() { failed <- serveHTTP(b, healthPort) }()
	log.Printf("ready: sip %d, health %d", sipPort, healthPort)
	return <-failed
}

// serveHTTP answers the health page, and takes the media leg's report that a room is gone.
func serveHTTP(b *bridge, port int) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /gone/", func(w http.ResponseWriter, r *http.Request) {
		b.onRoomGone(strings.TrimPrefix(r.URL.Path, "/gone/"))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	s := &http.Server{Addr: fmt.Sprintf("127.0.0.1:%d", port), Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return s.ListenAndServe()
}
