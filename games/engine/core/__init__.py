"""What every game is made of: state, flow, offers, actions, events, views, dice. No Django, no clock, no chance."""
