"""What scripts/attack-test tries, by what an attacker is after."""
