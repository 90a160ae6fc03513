"""What tests share: tiny servers, a clock, fakes of the services Jiritsu speaks to (real HTTP on loopback)."""
