"""Telemetry: OpenTelemetry spans of turns, exported only where configured."""
