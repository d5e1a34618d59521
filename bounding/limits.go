package bounding
const Unlimited = -1
