import Engine

/// What a host finds when it looks around, which takes about a second: on the wire, at the other hosts' ports, and in its
/// repositories. Nothing is changed by it, anywhere.
struct Sounding: Fact {
    struct Answer: Hashable, Sendable {
        /// The hardware addresses of those who have the address that was looked for.
        var holders: Set<String> = []
        var routers: Set<Router> = []
        /// Why the wire could not be listened to; nil when it could.
        var deafness: String?
        /// The targets that cannot be reached, `10.70.0.12:2379`, each with the reason.
        var unreachable: [String: String] = [:]
        /// The versions that apt would install, by package.
        var candidates: [String: String] = [:]
        /// What apt complained of when it read the repositories.
        var complaint: String?

        /// A router that was heard.
        struct Router: Hashable, Sendable {
            var id: Int
            var source: String
        }
    }

    /// On which interface to listen for routers; nil where there is no need to.
    var interface: String?
    /// Which address to look for there.
    var address: String?
    /// Which ports to try.
    var targets: [String] = []
    /// Of which packages to tell the versions.
    var packages: [String] = []

    static func script(for questions: [Sounding]) -> ShellText {
        questions.map { question -> ShellText in
            let words = [question.interface ?? "", question.address ?? ""] + question.targets
            return """
                echo question
                perl -e \(quoting: listening) -- \(words: words) 2>&1 &
                \(question.packages.isEmpty ? ":" : looking(for: question.packages))
                wait
                """
        }.joined(separator: "\n")
    }

    /// `perl-base` is on every Debian. A router says once a second that it is there. Who has an address is asked as RFC 5227
    /// wants it, by a question without an address of its own, so that nobody remembers it. A port is reached when somebody
    /// answers there, be it that nobody listens.
    private static let listening = #"""
        use strict; use Socket; use Errno qw(EINPROGRESS ECONNREFUSED);
        my ($interface, $address, @targets) = @ARGV;
        my ($rest, $probes, %pending, $routers, $neighbours, $probe, $own) = (@targets ? 1 : 0, 3);
        $| = 1;
        sub line { open my $file, "<", $_[0] or return ""; my $line = <$file>; chomp $line; $line }
        for my $target (@targets) {
            my ($host, $port) = split /:/, $target;
            socket(my $socket, AF_INET, SOCK_STREAM | 2048, 0) or next;
            connect($socket, pack_sockaddr_in($port, inet_aton($host))) and next;
            if ($! == EINPROGRESS) { $pending{$target} = $socket }
            elsif ($! != ECONNREFUSED) { print "unreachable $target $!\n" }
        }
        if ($interface ne "") {
            my $index = line("/sys/class/net/$interface/ifindex");
            my $group = inet_aton("224.0.0.18") . INADDR_ANY . pack("i", $index);
            if (socket($routers, AF_INET, SOCK_RAW, 112) && setsockopt($routers, 0, 35, $group)) { $rest = 1.2 }
            else { print "deaf $!\n"; undef $routers }
            $own = pack("H12", line("/sys/class/net/$interface/address") =~ s/://gr);
            if (socket($neighbours, 17, SOCK_RAW, unpack("S", pack("n", 0x806)))
                && bind($neighbours, pack("S n i S C C a8", 17, 0x806, $index, 0, 0, 0, ""))) {
                $probe = pack("H12 a6 n n n C C n a6 a4 a6 a4", "f" x 12, $own, 0x806, 1, 0x800, 6, 4, 1, $own, "",
                    "", inet_aton($address));
                $rest = 1.2;
            } else { print "deaf $!\n"; undef $neighbours }
        }
        while ($rest > 0 && ($routers || $neighbours || %pending)) {
            send($neighbours, $probe, 0) if $neighbours && $probes-- > 0;
            my ($read, $write) = ("", "");
            vec($read, fileno($_), 1) = 1 for grep { defined } $routers, $neighbours;
            vec($write, fileno($_), 1) = 1 for values %pending;
            my $slice = $rest < 0.4 ? $rest : 0.4;
            my (undef, $left) = select($read, $write, undef, $slice);
            $rest -= $slice - $left;
            for my $target (keys %pending) {
                next unless vec($write, fileno($pending{$target}), 1);
                $! = unpack("i", getsockopt($pending{$target}, SOL_SOCKET, SO_ERROR));
                print "unreachable $target $!\n" if $! != 0 && $! != ECONNREFUSED;
                delete $pending{$target};
            }
            if ($routers && vec($read, fileno($routers), 1) && defined recv($routers, my $packet, 2048, 0)) {
                my $head = 4 * (ord($packet) & 15);
                print "router ", ord(substr($packet, $head + 1, 1)), " ", inet_ntoa(substr($packet, 12, 4)), "\n"
                    if length $packet > $head + 8;
            }
            if ($neighbours && vec($read, fileno($neighbours), 1) && defined recv($neighbours, my $frame, 2048, 0)) {
                print "holder ", join(":", unpack("(H2)6", substr($frame, 22, 6))), "\n"
                    if length $frame >= 42 && substr($frame, 28, 4) eq inet_aton($address) && substr($frame, 22, 6) ne $own;
            }
        }
        print "unreachable $_ no answer\n" for keys %pending;
        """#

    /// What the host's lists of packages do not have may be in newer ones. Those are fetched into a place of their own, which no
    /// reboot leaves behind.
    private static func looking(for packages: [String]) -> ShellText {
        #"""
        candidates() {
            LC_ALL=C apt-cache -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@" policy \#(words: packages) 2>/dev/null |
                while read -r key value; do
                    case $key in
                    Candidate:) [ "$value" = '(none)' ] || echo "candidate $package $value" ;;
                    Installed:) ;;
                    *:) package=${key%:} ;;
                    esac
                done
        }
        found=$(candidates)
        if [ "$(printf '%s\n' "$found" | grep -c .)" -lt \#(packages.count) ]; then
            found=$(
            lists=$(mktemp -d /run/drover-lists.XXXXXX)
            trap 'rm -rf -- "$lists"' EXIT
            trap 'exit 143' HUP INT TERM
            mkdir "$lists/partial"
            said=$(LC_ALL=C apt-get -q update -o Dir::State::Lists="$lists" -o Dir::Cache::pkgcache= \
                -o Dir::Cache::srcpkgcache= -o Acquire::GzipIndexes=true -o APT::Sandbox::User=root -o APT::Update::Error-Mode=any \
                -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10 2>&1) ||
                printf '%s\n' "$said" | sed -n 's/^E: /complaint /p' | head -n 1
            candidates -o Dir::State::Lists="$lists"
            )
        fi
        printf '%s\n' "$found"
        """#
    }

    static func answers(to questions: [Sounding], from output: String) throws -> [Sounding: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText where !line.isEmpty {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            guard let last = answers.indices.last else { throw UnreadableAnswer(Sounding.self, line) }
            answers[last].read(line)
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(Sounding.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    static func essence(of answer: Answer) -> String { "" }
}

extension Sounding.Answer {
    /// What is none of these lines is a complaint of perl's, such as that there is no perl.
    fileprivate mutating func read(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words[0], words.count) {
        case ("holder", 2): holders.insert(words[1])
        case ("router", 3): routers.formUnion(Int(words[1]).map { [Router(id: $0, source: words[2])] } ?? [])
        case ("deaf", _): deafness = String(line.dropFirst("deaf ".count))
        case ("unreachable", 3): unreachable[words[1]] = words[2]
        case ("candidate", 3): candidates[words[1]] = words[2]
        case ("complaint", _): complaint = String(line.dropFirst("complaint ".count))
        default: deafness = line
        }
    }
}
