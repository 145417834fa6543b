// An example reader of the rays that `alfil compile --plain` writes (docs/tables.md), in Go:
//
//	go run docs/read_rays.go rays.json < positions.txt
//
// Positions and answers are those of read_rays.js.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type kind struct {
	Ends, On  int
	Takes     bool
	EnPassant bool `json:"en_passant"`
}

// A part has the rays of each side by square; each ray is a list of squares with their kinds.
type part struct {
	When          map[string]json.RawMessage
	First, Second [][][][2]int
}

type tables struct {
	Classes map[string]int
	Kinds   []kind
	Pieces  []struct {
		Code  string
		Parts []part
	}
}

var names = map[byte]string{'.': "empty", 'x': "enemy", 'k': "royal", 'o': "friend", '*': "trail"}

func allowed(when map[string]json.RawMessage, made, turn int) bool {
	for condition, raw := range when {
		var value int
		if condition == "trail" {
			continue
		}
		if json.Unmarshal(raw, &value) != nil {
			return false // all other conditions: see docs/tables.md
		}
		switch {
		case condition == "move" && made == value-1:
		case condition == "every" && (made+1)%value == 0:
		case condition == "turn" && turn%value == 0:
		default:
			return false
		}
	}
	return true
}

// move is the text of a move, "" if it would capture a piece twice.
func move(to int, captures []int, capturesThere bool) string {
	text := fmt.Sprint(to)
	for _, square := range captures {
		if square == to && capturesThere {
			return ""
		}
		text += fmt.Sprint("x", square)
	}
	if capturesThere {
		text += fmt.Sprint("x", to)
	}
	return text
}

func (tables *tables) follow(ray [][2]int, at int, board string) (moves []string) {
	var captures []int
	for _, step := range ray {
		square, kind := step[0], tables.Kinds[step[1]]
		standing := tables.Classes[names[board[square]]]
		if square == at {
			standing = tables.Classes["home"]
		}
		if kind.Ends&standing != 0 {
			there := strings.IndexByte("xko", board[square]) >= 0 || kind.EnPassant && board[square] == '*'
			if text := move(square, captures, there); text != "" {
				moves = append(moves, text)
			}
		}
		if kind.On&standing == 0 {
			break
		}
		if kind.Takes {
			captures = append(captures, square)
		}
	}
	return moves
}

func main() {
	var tables tables
	content, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(content, &tables)
	}
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var code, board string
		var side, at, made, turn int
		fmt.Sscan(lines.Text(), &code, &side, &at, &made, &turn, &board)
		var moves []string
		for _, piece := range tables.Pieces {
			for _, part := range piece.Parts {
				if piece.Code != code || !allowed(part.When, made, turn) {
					continue
				}
				for _, ray := range [][][][][2]int{part.First, part.Second}[side][at] {
					moves = append(moves, tables.follow(ray, at, board)...)
				}
			}
		}
		fmt.Println(strings.Join(moves, " "))
	}
}
