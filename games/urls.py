"""The site's own pages: lobby, tables, rules."""

from django.urls import path

from .views import links, lobby, orders, pages, table

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("lists/", lobby.lists, name="lobby_lists"),
    path("waiting/", lobby.waiting, name="waiting"),
    path("play-now/", lobby.play_now, name="play_now"),
    path("tables/new/", lobby.new_table, name="new_table"),
    path("join/<str:invite_key>/", links.invitation, name="invitation"),
    path("return/<str:return_key>/", links.come_back, name="come_back"),
    path("tables/<str:public_id>/room/", lobby.room_news, name="room_news"),
    path("tables/<str:public_id>/entropy/", lobby.add_entropy, name="add_entropy"),
    path("tables/<str:public_id>/join/", lobby.join, name="join"),
    path("tables/<str:public_id>/leave/", lobby.leave, name="leave"),
    path("tables/<str:public_id>/remove/", lobby.remove, name="remove"),
    path("tables/<str:public_id>/cancel/", lobby.cancel, name="cancel"),
    path("tables/<str:public_id>/start/", lobby.start, name="start"),
    path("tables/<str:public_id>/rematch/", lobby.rematch, name="rematch"),
    path("tables/<str:public_id>/bot/", lobby.seat_bot, name="seat_bot"),
    path("tables/<str:public_id>/stand-in/", lobby.stand_in, name="stand_in"),
    path("tables/<str:public_id>/go-on/", lobby.go_on, name="go_on"),
    path("tables/<str:public_id>/take-back-seat/", lobby.take_back_seat, name="take_back_seat"),
    path("tables/<str:public_id>/lost-link/", links.lost_link, name="lost_link"),
    path("tables/<str:public_id>/lost-link/answer/", links.answer_lost_link, name="answer_lost_link"),
    path("tables/<str:public_id>/return-link/", links.return_link, name="return_link"),
    path("tables/<str:public_id>/", table.table, name="table"),
    path("tables/<str:public_id>/act/", table.act, name="act"),
    path("tables/<str:public_id>/why/", table.why, name="why"),
    path("tables/<str:public_id>/preview/", table.preview, name="preview"),
    path("tables/<str:public_id>/pulse/", table.pulse, name="pulse"),
    path("tables/<str:public_id>/at/<int:revision>/", table.past, name="past"),
    path("tables/<str:public_id>/orders/", orders.orders, name="orders"),
    path("tables/<str:public_id>/chat/", table.chat, name="chat"),
    path("tables/<str:public_id>/hand-over/", table.hand_over, name="hand_over"),
    path("tables/<str:public_id>/export/", table.export, name="export"),
    path("rules/", pages.rules, name="rules"),
    path("rules/<slug:slug>/", pages.rules_of, name="rules_of"),
    path("rules/<slug:slug>/handbook-<slug:digest>.js", pages.handbook, name="handbook"),
    path("credits/", pages.credits, name="credits"),
]
