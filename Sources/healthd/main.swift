internal import Glibc
internal import HealthDaemon

exit(Daemon.main(Array(CommandLine.arguments.dropFirst())))
