package pty
